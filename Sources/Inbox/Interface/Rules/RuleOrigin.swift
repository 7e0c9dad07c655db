import Basics
package import Messages
package import Queries

/// The message from which a rule is started, and the data about other messages from which the rule's
/// condition is proposed.
package struct RuleOrigin: Hashable, Sendable {
  package var message: Message
  /// Other messages of its source, the newest first.
  package var neighbours: [RuleNeighbour]
  /// The number of messages of the store with each of `askedWords`, as far as it is known.
  package var counts: [String: WordCount]
  /// The names of the existing rules.
  package var takenNames: [String]

  package init(
    message: Message, neighbours: [RuleNeighbour], counts: [String: WordCount], takenNames: [String]
  ) {
    (self.message, self.neighbours, self.takenNames) = (message, neighbours, takenNames)
    self.counts = counts
  }

  /// The number of other messages that are compared.
  package static let mostNeighbours = 200

  /// Returns the words of a message's title that a rule for it may test, in the form for comparison. `counts` needs
  /// only these.
  package static func askedWords(_ message: Message) -> [String] {
    let words = TitleWord.words(in: message.content.title).filter(\.isTelling).map(\.key)
    return Array(words.prefix(Limits.proposedWords))
  }

  /// The proposed condition of the rule: the message's source, and the tag that best distinguishes the
  /// message from others of the source. If there is none, words of its title are used.
  package var condition: Query {
    var tests = [Query.Test.name(.source, [.glob(Glob(pieces: [message.sourceName]))])]
    if let tag {
      tests.append(.name(.tag, [.glob(Glob(pieces: [tag]))]))
    } else {
      tests += words.map { .inText(.title, [.words(Query.ExactText($0), isPrefix: false)]) }
    }
    return .all(of: tests.map(Query.test))
  }

  /// The tag that best distinguishes the message from others of its source, or `nil` if none does.
  private var tag: String? {
    let tags = message.content.tags.filter { $0.contains { !$0.isWhitespace } }
    if neighbours.isEmpty { return tags.first }
    let kinds = tags.map { tag in (tag, neighbours.count { $0.tags.contains(tag) }) }
    return telling(kinds, isPatterned: true) ?? kinds.first { share($0.1) < 0.9 }?.0
  }

  /// The words of the title that best distinguish the message from others of its source.
  private var words: [String] {
    let own = TitleWord.words(in: message.content.title)
    let others = neighbours.map { Set(TitleWord.words(in: $0.title).map(\.key)) }
    let counted = own.map { word in (word: word, count: others.count { $0.contains(word.key) }) }
    let usable = counted.filter { $0.word.isTelling }
    // Titles that a program wrote have common words; the differing words have few values.
    let isPatterned = counted.contains {
      !$0.word.isNumber && !$0.word.isCommon && share($0.count) >= 0.5
    }
    let rare = usable.filter { counts[$0.word.key]?.isFrequent != true }
    if let word = telling(rare.map { ($0.word.text, $0.count) }, isPatterned: isPatterned) { return [word] }
    // In addition to words of many messages, this is one that occurs again in another source.
    let again = rare.filter { counts[$0.word.key].map { $0.count > 1 } ?? false }.min {
      (counts[$0.word.key]?.count ?? 0, -$0.word.length) < (counts[$1.word.key]?.count ?? 0, -$1.word.length)
    }
    if rare.count < usable.count, let again { return [again.word.text] }
    if let word = telling(usable.map { ($0.word.text, $0.count) }, isPatterned: isPatterned) { return [word] }
    let unknown = (rare.isEmpty ? usable : rare).filter { $0.count == 0 }.map(\.word)
    let longest = unknown.sorted { ($0.length, $1.place) > ($1.length, $0.place) }
    return longest.prefix(isPatterned ? 1 : 2).sorted { $0.place < $1.place }.map(\.text)
  }

  /// Returns a number of other messages as a share of all others, from 0 to 1.
  private func share(_ count: Int) -> Double {
    neighbours.isEmpty ? 0 : Double(count) / Double(neighbours.count)
  }

  /// Returns a word that occurs in other messages, but not in all. If a program composes the titles from a pattern,
  /// this is a frequent word of at most half of the messages; otherwise it is a rare word.
  private func telling(_ counts: [(text: String, count: Int)], isPatterned: Bool) -> String? {
    // Equally frequent words are sorted by length, the longest first.
    let repeated = counts.filter { $0.count > 0 && share($0.count) < 0.9 }.sorted {
      ($0.count, -$0.text.count) < ($1.count, -$1.text.count)
    }
    guard isPatterned else { return (repeated.first { $0.count > 1 } ?? repeated.first)?.text }
    let most = repeated.last { share($0.count) <= 0.5 }?.count
    return repeated.first { $0.count == most }?.text ?? repeated.first?.text
  }
}

/// A word of a title in the units of the search index; in Chinese and Japanese, which have no spaces, two characters.
private struct TitleWord {
  /// The word as written.
  var text: String
  /// The word in the form for comparison.
  var key: String
  /// The position among the words.
  var place: Int
  private var isIdeographic: Bool

  var length: Int { text.count }
  var isNumber: Bool { text.contains(where: \.isNumber) }
  /// Whether the word occurs in sentences of its language on any subject.
  var isCommon: Bool { CommonWords.all.contains(key) }
  /// Whether the word distinguishes messages. Numbers change from message to message, and short words occur in every
  /// sentence.
  var isTelling: Bool { !isNumber && !isCommon && length >= (isIdeographic ? 2 : 3) }

  private init(_ text: String, place: Int, isIdeographic: Bool) {
    (self.text, self.place, self.isIdeographic) = (text, place, isIdeographic)
    key = SearchText.folded(text)
  }

  static func words(in title: String) -> [TitleWord] {
    var words: [TitleWord] = []
    var run: [Unicode.Scalar] = []
    var isIdeographic = false
    func end() {
      if isIdeographic {
        for (first, second) in zip(run, run.dropFirst()) {
          words.append(
            TitleWord(
              String(String.UnicodeScalarView([first, second])), place: words.count, isIdeographic: true))
        }
      } else if !run.isEmpty {
        words.append(
          TitleWord(String(String.UnicodeScalarView(run)), place: words.count, isIdeographic: false))
      }
      run = []
    }
    for scalar in title.unicodeScalars {
      let standsAlone = SearchText.standsAlone(scalar)
      guard standsAlone || SearchText.isPartOfWord(scalar) else {
        end()
        continue
      }
      // Words of Thai and similar scripts have many letters: a run of them is more specific than two.
      let isIdeograph =
        standsAlone && scalar.value >= 0x2E80 || isIdeographic && SearchText.isSoundMark(scalar)
      if isIdeograph != isIdeographic { end() }
      isIdeographic = isIdeograph
      run.append(scalar)
    }
    end()
    return words
  }
}
