#!/bin/sh
# Bazel before version 7 fails the tests of rules that name no program for the report on coverage,
# and hands Weft's files to none. With this one, the tests run and write their counters.
exit 0
