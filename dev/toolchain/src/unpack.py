# Takes folders out of a wheel or a source archive: unpack.py ARCHIVE DESTINATION [FROM TO]...
# The file FROM, or what is below the folder FROM, goes into DESTINATION/TO; links and everything else
# stay where they are.
import os
import sys
import tarfile
import zipfile

archive, destination, *folders = sys.argv[1:]


def place(name):
    for start, to in zip(folders[::2], folders[1::2]):
        if name == start and not name.endswith("/"):
            return os.path.join(destination, to, os.path.basename(name))
        below = name.removeprefix(start + "/")
        if below != name and ".." not in below.split("/"):
            return os.path.join(destination, to, below)
    return None


def write(path, content, mode):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
    if mode & 0o100:
        os.chmod(path, 0o755)


if archive.endswith(".whl"):
    with zipfile.ZipFile(archive) as wheel:
        for name in wheel.namelist():
            path = place(name)
            if path and not name.endswith("/"):
                write(path, wheel.read(name), wheel.getinfo(name).external_attr >> 16)
else:
    with tarfile.open(archive) as source:
        for member in source:
            path = place(member.name)
            if path and member.isfile():
                write(path, source.extractfile(member).read(), member.mode)
