//! Fuzzes [`dev_readers::assembly`].

#![no_main]

weft_fuzz::target!(dev_readers::assembly);
