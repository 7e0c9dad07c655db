import Foundation
import Sync
import TestBasics
import Testing

/// The guarantees of every sync location.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct PlaceContractTests {
  @Test(arguments: Premises.Kind.allCases) func whatIsPutIsListedAndGot(kind: Premises.Kind) throws {
    let premises = try Premises(kind)
    let (here, there) = (try premises.connect(), try premises.connect())
    #expect(try here.list() == [])
    #expect(try here.get(name(1, 1...3)) == nil)
    let objects: [(ObjectName, [UInt8])] = [
      (name(1, 1...3), object(1)), (name(1, 4...4), object(70_000)), (name(2, 1...999_999_999_999), []),
      (.marker, object(200)), (name(255, 7...8), object(3 << 20)),
    ]
    for (name, bytes) in objects { #expect(try here.put(name, bytes) == .done) }
    #expect(try Set(there.list()) == Set(objects.map(\.0)))
    #expect(try there.list().count == objects.count)
    for (name, bytes) in objects { #expect(try there.get(name) == bytes) }
    #expect(try there.get(name(1, 1...4)) == nil)
  }

  @Test(arguments: Premises.Kind.allCases) func whatIsPutStays(kind: Premises.Kind) throws {
    let premises = try Premises(kind)
    let (here, there) = (try premises.connect(), try premises.connect())
    let object = object(5000)
    #expect(try here.put(name(1, 1...3), object) == .done)
    #expect(try here.put(name(1, 1...3), object) == .done)
    #expect(try there.put(name(1, 1...3), object) == .done)
    #expect(try there.put(name(1, 1...3), object.dropLast() + [0]) == .anotherIsThere)
    #expect(try there.put(name(1, 1...3), []) == .anotherIsThere)
    #expect(try here.get(name(1, 1...3)) == object)
    #expect(try here.list() == [name(1, 1...3)])
  }

  @Test(arguments: Premises.Kind.allCases) func whatIsDeletedIsGone(kind: Premises.Kind) throws {
    let premises = try Premises(kind)
    let (here, there) = (try premises.connect(), try premises.connect())
    try here.delete(name(1, 1...3))
    #expect(try here.put(name(1, 1...3), object(10)) == .done)
    #expect(try here.put(name(1, 4...5), object(20)) == .done)
    try there.delete(name(1, 1...3))
    try here.delete(name(1, 1...3))
    #expect(try here.get(name(1, 1...3)) == nil)
    #expect(try here.list() == [name(1, 4...5)])
    #expect(try there.put(name(1, 1...3), object(11)) == .done)
  }

  @Test(arguments: Premises.Kind.allCases) func aListIsNewOnce(kind: Premises.Kind) throws {
    let premises = try Premises(kind)
    let (here, there) = (try premises.connect(), try premises.connect())
    // The sync location has not been checked yet.
    #expect(try here.changed(seconds: 0))
    _ = try here.list()
    #expect(try !here.changed(seconds: 0))
    // A connection's own changes aren't new to it.
    _ = try here.put(name(1, 1...3), object(10))
    #expect(try !here.changed(seconds: 0))
    try here.delete(name(1, 1...3))
    #expect(try !here.changed(seconds: 0))
    _ = try there.put(name(2, 1...1), object(10))
    #expect(try here.changed(seconds: 0))
    _ = try here.list()
    #expect(try !here.changed(seconds: -5))
    try there.delete(name(2, 1...1))
    #expect(try here.changed(seconds: longest))
  }

  @Test(arguments: Premises.Kind.allCases) func whoWaitsIsWokenByEachPut(kind: Premises.Kind) throws {
    let premises = try Premises(kind)
    let (here, there) = (try premises.connect(), try premises.connect())
    let rounds = 60
    let seen = DispatchSemaphore(value: 0)
    _ = try here.list()
    let waiting = Background {
      for round in 1...rounds {
        guard try here.changed(seconds: longest) else { return false }
        guard try here.list().count == round else { return false }
        seen.signal()
      }
      return true
    }
    for round in 1...rounds {
      // Every second one is from a new machine, whose folder doesn't exist yet.
      let number = Int64(round)
      #expect(try there.put(name(UInt8(1 + round / 2), number...number), object(round)) == .done)
      #expect(seen.wait(timeout: .now() + .seconds(longest)) == .success)
    }
    #expect(try waiting.value())
  }

  @Test(arguments: Premises.Kind.allCases) func closingEndsWhatWaits(kind: Premises.Kind) throws {
    let premises = try Premises(kind)
    for _ in 1...10 {
      let place = try premises.connect()
      _ = try place.list()
      let waiting = Background { try place.changed(seconds: longest) }
      place.close()
      #expect(throws: PlaceFailure.closed) { try waiting.value() }
      #expect(throws: PlaceFailure.closed) { try place.list() }
      #expect(throws: PlaceFailure.closed) { try place.put(name(1, 1...1), []) }
      place.close()
    }
  }
}
