//! Fuzzes [`dev_readers::host_object`].

#![no_main]

weft_fuzz::target!(dev_readers::host_object);
