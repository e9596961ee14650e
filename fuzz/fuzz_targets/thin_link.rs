//! Fuzzes [`dev_readers::thin_link`].

#![no_main]

weft_fuzz::target!(dev_readers::thin_link);
