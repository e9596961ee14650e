#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "api/api.h"

static PyObject* works(PyObject*, PyObject*) { return PyBool_FromLong(api_works()); }

static PyMethodDef methods[] = {
    {"works", works, METH_NOARGS, "Returns whether the field was filled, or there is no GPU."},
    {nullptr, nullptr, 0, nullptr},
};

static PyModuleDef module = {PyModuleDef_HEAD_INIT, "module", nullptr, -1, methods};

PyMODINIT_FUNC PyInit_module() { return PyModule_Create(&module); }
