"""From cubins to the object that registers the device image."""

load(":compile.bzl", "UNIT_SYMBOL")
load(":run.bzl", "run")

# Name of a symbol that every registration defines. It serves as the message of a linker that finds
# two.
ONE_IMAGE_SYMBOL = "weft_links_one_device_image_into_a_file"

def link_image(actions, toolchain, name, architecture, files, options, image):
    """Links the cubins of one architecture and prebuilt device code.

    As with nvcc, NVIDIA's device runtime is there for kernels that launch others; nvlink takes
    nothing of it otherwise.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program and architecture in messages
      architecture: string such as `sm_90`
      files: list of Files, cubins and prebuilt device code
      options: list of strings, options of nvlink
      image: File to write
    """
    files = files + toolchain.device_runtime
    args = actions.args()
    args.add(architecture, format = "-arch=%s")
    args.add_all(options)
    args.add("-o", image)
    names = actions.args()
    names.add_all(files)
    names.use_param_file("--options-file=%s")
    names.set_param_file_format("multiline")
    run(
        actions,
        executable = toolchain.nvlink,
        arguments = [args, names],
        inputs = files,
        outputs = [image],
        mnemonic = "WeftNvlink",
        progress_message = "Linking device image %s" % name,
    )

def pack_images(actions, toolchain, name, links, options, fatbin):
    """Packs the images of all architectures into one file, compressed unless the options say how.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program in messages
      links: list of structs as `link_device_code` returns
      options: list of strings, options of fatbinary
      fatbin: File to write
    """
    args = actions.args()
    args.add(fatbin, format = "--create=%s")
    args.add("-64")
    args.add_all(options)
    if not [option for option in options if "compress" in option]:
        args.add("--compress-all")
    inputs = []
    for link in links:
        number = link.architecture[len("sm_"):]
        for kind, image in [("elf", link.image), ("ptx", link.ptx_image)]:
            if image:
                args.add(image, format = "--image3=kind=%s,sm=%s,file=%%s" % (kind, number))
                inputs.append(image)
    run(
        actions,
        executable = toolchain.fatbinary,
        arguments = [args],
        inputs = inputs,
        outputs = [fatbin],
        mnemonic = "WeftFatbinary",
        progress_message = "Packing device images of %s" % name,
    )

def wrap_image(actions, toolchain, name, fatbin, objects, registration):
    """Writes host code, in C, that includes the images and registers them at start.

    Objects of nvcc wait to be registered with the images, too.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program in messages
      fatbin: File, the packed images
      objects: list of Files that may be objects of nvcc: prebuilt device code, and its units
      registration: File to write
    """
    args = actions.args()
    args.add("register")
    args.add(fatbin)
    args.add("-o", registration)
    list_of_objects = actions.args()
    list_of_objects.add_all(objects)
    list_of_objects.use_param_file("--nvcc-object=@%s", use_always = True)
    list_of_objects.set_param_file_format("multiline")
    run(
        actions,
        executable = toolchain.weft,
        arguments = [args, list_of_objects],
        inputs = [fatbin] + objects,
        outputs = [registration],
        mnemonic = "WeftWrap",
        progress_message = "Wrapping device images of %s" % name,
    )

def define_units(actions, module_ids, definitions):
    """Writes assembly of the symbols that the units' host objects refer to.

    Only the registration of an image that holds a unit's device code defines the unit's symbol, so
    no linker of any rule makes a program that has the host object and lacks the device code. Each
    registration registers all kernels of the linked file with its own image, so a second one would
    register kernels that its image lacks: a symbol that all registrations define rules that out.

    Args:
      actions: the rule's `ctx.actions`
      module_ids: list of strings, the units whose device code is in the image
      definitions: File to write
    """
    lines = actions.args()
    lines.set_param_file_format("multiline")
    lines.add("\t.section .rodata.weft.units,\"a\",%progbits")
    lines.add_all([ONE_IMAGE_SYMBOL], map_each = _definition)
    lines.add_all(module_ids, map_each = _unit_definition)
    lines.add("\t.byte 0")
    lines.add("\t.section .note.GNU-stack,\"\",%progbits")
    actions.write(definitions, lines)

def _unit_definition(module_id):
    return _definition(UNIT_SYMBOL + module_id)

def _definition(name):
    symbol = "\"%s\"" % name
    return ["\t.globl " + symbol, "\t.hidden " + symbol, symbol + ":"]

def compile_registration(actions, toolchain, name, registration, fatbin, definitions, object):
    """Compiles the host code that `wrap_image` wrote.

    Args:
      actions: the rule's `ctx.actions`
      toolchain: a WeftToolchainInfo
      name: string, the program in messages
      registration: File, host code
      fatbin: File, the packed images, which it includes
      definitions: File, the assembly that `define_units` wrote
      object: File to write
    """
    args = actions.args()
    args.add(toolchain.host_triple, format = "--target=%s")
    args.add("-resource-dir", toolchain.clang_resource_folder)
    args.add("-O3")
    args.add("-fPIC")

    # Relocatable linking makes one object of the two.
    args.add_all(["-r", "-nostdlib", registration, definitions])
    args.add(toolchain.linker, format = "--ld-path=%s")
    args.add("-o", object)
    run(
        actions,
        executable = toolchain.clang,
        arguments = [args],
        inputs = depset([registration, fatbin, definitions], transitive = [toolchain.clang_files]),
        tools = [toolchain.linker],
        outputs = [object],
        mnemonic = "WeftRegister",
        progress_message = "Compiling registration of %s" % name,
    )
