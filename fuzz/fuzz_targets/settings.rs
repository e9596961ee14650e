//! Fuzzes [`dev_readers::settings`].

#![no_main]

weft_fuzz::target!(dev_readers::settings);
