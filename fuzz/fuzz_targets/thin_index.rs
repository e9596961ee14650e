//! Fuzzes [`dev_readers::thin_index`].

#![no_main]

weft_fuzz::target!(dev_readers::thin_index);
