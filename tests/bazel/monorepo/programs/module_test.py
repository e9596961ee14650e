"""Loads the extension as a program of Python does."""

import module

assert module.works() is True
