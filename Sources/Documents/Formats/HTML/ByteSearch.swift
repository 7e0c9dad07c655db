import Basics
internal import Foundation

extension UnsafeBufferPointer<UInt8> {
  /// Returns the index of the first occurrence of `byte` at or after `start`. libc's search is many times
  /// faster than a loop.
  package func index(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let baseAddress,
      let found = memchr(baseAddress + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
  }

  /// Returns the index of the first occurrence of `sequence` at or after `start`. It searches for the first
  /// byte, then compares the rest.
  package func index(of sequence: StaticString, from start: Int) -> Int? {
    let wanted = UnsafeBufferPointer(start: sequence.utf8Start, count: sequence.utf8CodeUnitCount)
    guard let first = wanted.first else { return start }
    var position = start
    while let place = index(of: first, from: position) {
      if hasSequence(sequence, at: place) { return place }
      position = place + 1
    }
    return nil
  }

  package func hasSequence(_ sequence: StaticString, at place: Int) -> Bool {
    let length = sequence.utf8CodeUnitCount
    guard place + length <= count, let baseAddress else { return false }
    return memcmp(baseAddress + place, sequence.utf8Start, length) == 0
  }

  /// Whether a sequence is at `place`, ignoring case; `lowercase` must be in lower case.
  package func hasSequence(inAnyCase lowercase: StaticString, at place: Int) -> Bool {
    guard place + lowercase.utf8CodeUnitCount <= count else { return false }
    for offset in 0..<lowercase.utf8CodeUnitCount
    where self[place + offset].lowercasedASCII != lowercase.utf8Start[offset] {
      return false
    }
    return true
  }
}
