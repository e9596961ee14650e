// A unit without anything.
