//! Fuzzes [`dev_readers::answer_operation`].

#![no_main]

weft_fuzz::target!(dev_readers::answer_operation);
