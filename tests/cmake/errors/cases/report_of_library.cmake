# says: REPORT of 'library', whose device code is linked only by the programs that take it in. Give REPORT to them.
find_package(Weft REQUIRED)
add_library(library STATIC device.cu)
weft_device_thinlto(TARGET library REPORT report.txt)
