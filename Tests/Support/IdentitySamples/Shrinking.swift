extension IdentityVector {
  /// Returns the smallest part of the vector that still fails, found by removing documents, entries and fields.
  package func shrunk(while fails: (IdentityVector) throws -> Bool) rethrows -> IdentityVector {
    var smallest = self
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for candidate in smallest.smaller where try fails(candidate) {
        smallest = candidate
        isSmaller = true
        break
      }
    }
    return smallest
  }

  /// The vectors with one part removed, the largest parts first.
  private var smaller: [IdentityVector] {
    var found: [IdentityVector] = []
    func add(_ change: (inout IdentityVector) -> Void) {
      var candidate = self
      change(&candidate)
      found.append(candidate)
    }
    for place in steps.indices { add { $0.steps.remove(at: place) } }
    for place in steps.indices {
      for entry in steps[place].doc.indices { add { $0.steps[place].doc.remove(at: entry) } }
      if steps[place].prunes { add { $0.steps[place].prune = nil } }
    }
    for (place, step) in steps.enumerated() {
      for (index, entry) in step.doc.enumerated() {
        for field in IdentityEntry.fields where entry[keyPath: field] != nil {
          add { $0.steps[place].doc[index][keyPath: field] = nil }
        }
      }
    }
    // A reader leaves out an entry without content.
    return found.filter { $0.steps.allSatisfy { $0.doc.allSatisfy { $0.title != nil || $0.text != nil } } }
  }
}

extension IdentityEntry {
  fileprivate static var fields: [WritableKeyPath<IdentityEntry, String?>] {
    [\.updated, \.published, \.text, \.link, \.id, \.title]
  }
}
