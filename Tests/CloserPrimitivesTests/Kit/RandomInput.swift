import CloserPrimitives

// Inputs of differential tests. They are no secrets, and a failure prints them.

func random(of count: Int) -> [UInt8] { Randomness.system.bytes(count) }

/// Of any length from 0 to `most`.
func random(upTo most: Int) -> [UInt8] { random(of: Int.random(in: 0...most)) }
