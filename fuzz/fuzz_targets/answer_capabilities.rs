//! Fuzzes [`dev_readers::answer_capabilities`].

#![no_main]

weft_fuzz::target!(dev_readers::answer_capabilities);
