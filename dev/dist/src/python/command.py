"""python -m weft: says where Weft is, and what a build would find."""

import argparse
import os
import subprocess
import sys

import weft

PLACES = {
    "--prefix": weft.prefix,
    "--cmake-dir": weft.cmake_dir,
    "--bazel-dir": weft.bazel_dir,
    "--executables-dir": weft.executables_dir,
}


def main():
    parser = argparse.ArgumentParser(
        prog="python -m weft",
        description="Prints one place, or what a build would find: clang, CUDA and the rest.",
    )
    group = parser.add_mutually_exclusive_group()
    for option, place in PLACES.items():
        group.add_argument(
            option, dest="place", action="store_const", const=place, help=place.__doc__
        )
    arguments = parser.parse_args()
    if arguments.place:
        print(arguments.place())
        return 0
    command = [str(weft.executables_dir() / "weft"), "doctor"]
    cuda = weft.cuda_of_wheels()
    if cuda and not os.environ.get("WEFT_CUDA_ROOT"):
        command += ["--cuda", str(cuda)]
    return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
