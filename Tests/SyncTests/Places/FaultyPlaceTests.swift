import Foundation
import PlaceStandIns
import Sync
import Testing

/// The layer of faults that the tests of synchronisation use.
@Suite struct FaultyPlaceTests {
  private static let objects = (1...40).map { number in
    (name: name(UInt8(1 + number % 3), Int64(number)...Int64(number)), bytes: object(number * 10))
  }

  /// Puts all, again and again until the place has taken them.
  private func fill(_ place: FaultyPlace) throws -> Int {
    var failures = 0
    for (name, bytes) in Self.objects {
      while true {
        do {
          #expect(try place.put(name, bytes) == .done)
          break
        } catch { failures += 1 }
      }
      _ = try? place.get(name)
      _ = try? place.list()
      if name.seqs.lowerBound % 5 == 0 { try? place.delete(name) }
    }
    return failures
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func allFaultsHappenAndNothingIsLost(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let real = try FolderPlace(path: folder.path)
    let place = FaultyPlace(real, seed: seed, oneOf: 4, folder: folder.path)
    #expect(try fill(place) > 0)
    #expect(Set(place.counts.keys) == Set(PlaceFault.allCases))
    place.heal()
    for (name, bytes) in Self.objects {
      #expect(try place.put(name, bytes) == .done)
      #expect(try place.get(name) == bytes)
    }
    #expect(try Set(place.list()) == Set(Self.objects.map(\.name)))
    #expect(try place.list().count == Self.objects.count)
  }

  @Test func theSameSeedMakesTheSameFaults() throws {
    let counts = try (0..<2).map { _ in
      let place = FaultyPlace(try MemoryPlace(), seed: 7)
      _ = try fill(place)
      return place.counts
    }
    #expect(counts[0] == counts[1])
  }
}
