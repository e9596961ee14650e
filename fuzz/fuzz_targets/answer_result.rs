//! Fuzzes [`dev_readers::answer_result`].

#![no_main]

weft_fuzz::target!(dev_readers::answer_result);
