//! Fuzzes [`dev_readers::answer_frames`].

#![no_main]

weft_fuzz::target!(dev_readers::answer_frames);
