#define PY_SSIZE_T_CLEAN
#include <Python.h>

void step(int *values);

static PyObject *advance(PyObject *, PyObject *) {
  step(nullptr);
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"advance", advance, METH_NOARGS, "Start the kernel."},
                                {nullptr, nullptr, 0, nullptr}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "steps", nullptr, -1, methods};

PyMODINIT_FUNC PyInit_steps() { return PyModule_Create(&module); }
