"""Builds an extension module as PyTorch's cpp_extension does: nvcc compiles the units and links
their device code, and the host's compiler links the module."""

import os

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

CUDA_HOME = os.environ["CUDA_HOME"]
NVCC = os.environ.get("PYTORCH_NVCC", os.path.join(CUDA_HOME, "bin", "nvcc"))
FLAGS = ["-arch=sm_90", "--compiler-options", "-fPIC"]
UNITS = ["step.cu", "scaling.cu"]


class BuildCuda(build_ext):
    def build_extension(self, extension):
        os.makedirs(self.build_temp, exist_ok=True)
        in_build = lambda name: os.path.join(self.build_temp, name)
        objects = [in_build(unit + ".o") for unit in UNITS]
        for unit, output in zip(UNITS, objects):
            self.spawn([NVCC, *FLAGS, "-rdc=true", "-c", unit, "-o", output])
        linked = in_build("dlink.o")
        self.spawn([NVCC, *FLAGS, "-dlink", *objects, "-o", linked])
        extension.extra_objects = [*objects, linked]
        super().build_extension(extension)


setup(
    name="steps",
    version="1",
    ext_modules=[
        Extension(
            "steps",
            ["module.cpp"],
            libraries=["cudart_static", "dl", "rt", "pthread"],
            library_dirs=[os.path.join(CUDA_HOME, name) for name in ("lib64", "lib")],
        )
    ],
    cmdclass={"build_ext": BuildCuda},
)
