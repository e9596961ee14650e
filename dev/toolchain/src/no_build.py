# What pip asks for the metadata of the source archive that it downloads. pip cannot be told to leave
# that out, and the archive's own answer wants a build system of its own.
import os


def prepare_metadata_for_build_wheel(folder, settings=None):
    name = "NAME".replace("-", "_") + "-VERSION.dist-info"
    os.makedirs(os.path.join(folder, name))
    with open(os.path.join(folder, name, "METADATA"), "w") as file:
        file.write("Metadata-Version: 2.1\nName: NAME\nVersion: VERSION\n")
    return name
