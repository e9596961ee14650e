//! Fuzzes [`dev_readers::device_code`].

#![no_main]

weft_fuzz::target!(dev_readers::device_code);
