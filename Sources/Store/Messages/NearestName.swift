/// Finds the name that an unknown word probably means.
package enum NearestName {
  /// Returns a name that differs by few changes, or one whose beginning is the word. Case is ignored, and only the
  /// first 64 letters are compared.
  package static func of(_ word: String, in names: [String]) -> String? {
    let word = letters(word)
    let near = names.map { (name: $0, letters: letters($0)) }
    let best = near.map { (name: $0.name, distance: distance(word, $0.letters), length: $0.letters.count) }
      .min { $0.distance < $1.distance }
    guard let best else { return nil }
    let most = word.count <= 3 ? 1 : word.count < 8 ? 2 : 3
    if best.distance <= most, best.distance < best.length { return best.name }
    return word.count >= 2 ? near.first { $0.letters.starts(with: word) }?.name : nil
  }

  /// Returns `"; did you mean status?"`, or an empty string.
  package static func question(_ word: String, in names: [String]) -> String {
    of(word, in: names).map { "; did you mean \($0)?" } ?? ""
  }

  private static func letters(_ text: String) -> [Character] { Array(text.lowercased().prefix(64)) }

  /// Returns the minimum number of changes that turn one word into the other. A change inserts, deletes or
  /// replaces a letter, or swaps it with the next one.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var least = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
