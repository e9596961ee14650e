# says: weft_device_thinlto: say which target: TARGET <target>.
find_package(Weft REQUIRED)
weft_device_thinlto(KEEP kernel)
