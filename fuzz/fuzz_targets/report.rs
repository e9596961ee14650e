//! Fuzzes [`dev_readers::report`].

#![no_main]

weft_fuzz::target!(dev_readers::report);
