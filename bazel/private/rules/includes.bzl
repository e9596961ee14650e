"""The folders in which the units of a target and of its dependents look for headers."""

def include_folders(ctx):
    """Returns the folders of `includes`, among the sources and among generated files.

    Args:
      ctx: the context of a rule with the attributes of attributes.bzl

    Returns:
      A list of strings.
    """
    folders = []
    for include in ctx.attr.includes:
        below = _normal(_join(ctx.label.package, include))
        if include.startswith("/") or below == None:
            fail("%s: the include folder %r is not in the repository" % (ctx.label, include))
        folders.extend(_of_sources_and_outputs(ctx, below))
    return folders

def quote_include_folders(ctx):
    """Returns the folders for `#include` with quotes: the root of the repository."""
    return _of_sources_and_outputs(ctx, ".")

def moved_headers(ctx):
    """Links the headers to where `strip_include_prefix` and `include_prefix` have them.

    Args:
      ctx: the context of a rule with the attributes of attributes.bzl

    Returns:
      A struct of `files`, a list of Files, and `folders`, a list of strings, where compilers look
      for them; both are empty if the target has neither attribute.
    """
    strip = getattr(ctx.attr, "strip_include_prefix", "")
    prefix = getattr(ctx.attr, "include_prefix", "")
    if not (strip or prefix):
        return struct(files = [], folders = [])
    stripped = _normal(strip if strip.startswith("/") else _join(ctx.label.package, strip))
    if stripped == None or _normal(prefix) == None:
        fail("%s: strip_include_prefix or include_prefix is not in the repository" % ctx.label)
    root = "/".join(["_weft", ctx.label.name, "_virtual_includes"])
    files = []
    for header in ctx.files.hdrs:
        path = _path_in_repository(header)
        if not path.startswith("" if stripped == "." else stripped + "/"):
            fail("%s: the header %s is not in the folder %s of strip_include_prefix" % (
                ctx.label,
                path,
                stripped,
            ))
        path = path if stripped == "." else path[len(stripped) + 1:]
        moved = ctx.actions.declare_file(_join(root, _normal(prefix), path))
        ctx.actions.symlink(output = moved, target_file = header)
        files.append(moved)
    place = _join(ctx.bin_dir.path, ctx.label.workspace_root, ctx.label.package, root)
    return struct(files = files, folders = [place])

def _of_sources_and_outputs(ctx, folder):
    folder = _join(ctx.label.workspace_root, folder)
    return [folder, _join(ctx.bin_dir.path, folder)]

def _path_in_repository(file):
    path = file.short_path
    return "/".join(path.split("/")[2:]) if path.startswith("../") else path

def _normal(path):
    """Returns a path below a root without `.` and `..`; None if it leaves the root."""
    parts = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ["", "."]:
            parts.append(part)
    return _join(*parts)

def _join(*parts):
    return "/".join([part for part in parts if part and part != "."]) or "."
