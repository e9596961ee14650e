//! Fuzzes [`dev_readers::summary`].

#![no_main]

weft_fuzz::target!(dev_readers::summary);
