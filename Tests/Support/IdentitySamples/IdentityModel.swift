/// A second, very simple intake of feeds, which decides for each entry of a document which stored message it is. It
/// compares all messages, and stores nothing and uses no index.
package final class IdentityModel {
  private var sources: [String: IdentitySource] = [:]
  /// The names of the sources in the order of their first documents.
  private var names: [String] = []
  private var count = 0
  private let mutant: IdentityMutant?

  package init(mutant: IdentityMutant? = nil) { self.mutant = mutant }

  /// Reads a document, and returns the verdict on each entry.
  ///
  /// - Parameter document: entries, newest first.
  package func poll(_ name: String, _ document: [IdentityEntry], now: String) -> [IdentityVerdict] {
    let others = names.filter { $0 != name }.compactMap { sources[$0] }.flatMap { $0.messages }
    if sources[name] == nil {
      sources[name] = IdentitySource()
      names.append(name)
    }
    guard let source = sources[name] else { return [] }
    let poll = IdentityPoll(
      source, document.map { IdentityFacts($0, mutant: mutant) }, now: ExactText(now), mutant)
    poll.match()
    poll.add(as: name, others: others.filter(\.isKept), count: &count)
    poll.finish()
    poll.returned.forEach(detach)
    return poll.verdictsInOrder
  }

  /// Separates a message from its duplicates: after it was pruned, it is stored as another one.
  private func detach(_ message: IdentityMessage) {
    count += 1
    message.order = count
    message.first = nil
    let copies = names.compactMap { sources[$0] }.flatMap { $0.messages }.filter { $0.first === message }
      .sorted { ($0.order, $0.number) < ($1.order, $1.number) }
    copies.first?.first = nil
    for copy in copies.dropFirst() { copy.first = copies[0] }
  }

  /// The list over all sources, oldest first. Duplicates are represented by the original with the longest text.
  package var shown: [IdentityRow] {
    let kept = names.compactMap { sources[$0] }.flatMap { $0.messages }.filter(\.isKept)
      .sorted { $0.number < $1.number }
    return kept.filter { $0.first == nil }.map { message in
      var text = message.facts.text?.text
      if mutant != .showsFirstText {
        text = ""
        for copy in kept where copy === message || copy.first === message {
          let other = copy.facts.text?.text ?? ""
          if other.unicodeScalars.count > (text ?? "").unicodeScalars.count { text = other }
        }
      }
      return IdentityRow(
        source: message.source, title: message.facts.title?.text, text: text, isUnread: !message.isRead)
    }
  }

  /// Marks all messages as read.
  package func readAll() {
    for source in sources.values {
      for message in source.messages { message.isRead = true }
    }
  }

  /// Removes the read messages of a source; their facts remain known.
  package func prune(_ name: String) {
    guard let source = sources[name] else { return }
    for message in source.messages { message.isKept = !message.isRead }
    if mutant == .forgetsPruned { source.messages = source.messages.filter(\.isKept) }
  }

  /// The list over all sources like the program's lists: duplicates are one row even after the original was pruned, and
  /// share their marks.
  package var listed: [IdentityRow] {
    let messages = names.compactMap { sources[$0] }.flatMap { $0.messages }.filter(\.isKept)
    let rows = Dictionary(grouping: messages) { $0.first ?? $0 }.values.compactMap { copies -> IdentityRow? in
      let copies = copies.sorted { ($0.order, $0.number) < ($1.order, $1.number) }
      let texts = copies.map { $0.facts.text?.text ?? "" }
      guard let first = copies.first else { return nil }
      return IdentityRow(
        listed: first.source, title: first.facts.title?.text, beginning: first.facts.text?.text,
        text: texts.reduce("") { $1.unicodeScalars.count > $0.unicodeScalars.count ? $1 : $0 },
        isUnread: copies.contains { !$0.isRead })
    }
    return rows.sorted()
  }

  package struct Outcome: Hashable, Sendable {
    /// The verdicts on each entry of each step.
    package var verdicts: [[IdentityVerdict]] = []
    /// The list after each step, before all messages are marked as read: see `listed`.
    package var lists: [[IdentityRow]] = []
    /// The list after the last step.
    package var shown: [IdentityRow] = []

    package init() {}
  }

  /// Runs the steps of a vector. After each one all messages are marked as read.
  package static func run(_ vector: IdentityVector, mutant: IdentityMutant? = nil) -> Outcome {
    let model = IdentityModel(mutant: mutant)
    var outcome = Outcome()
    for step in vector.steps {
      if step.prunes { model.prune(step.source) }
      outcome.verdicts.append(model.poll(step.source, step.doc, now: step.now))
      outcome.lists.append(model.listed)
      model.readAll()
    }
    outcome.shown = model.shown
    return outcome
  }
}

extension IdentityVector {
  /// Whether an outcome is the expected one.
  package func expects(_ outcome: IdentityModel.Outcome) -> Bool {
    outcome.verdicts == steps.map(\.expect) && (shown == nil || shown == outcome.shown)
  }
}

extension IdentityRow: Comparable {
  package static func < (one: IdentityRow, other: IdentityRow) -> Bool {
    let unread = (one.isUnread ? 1 : 0, other.isUnread ? 1 : 0)
    return (one.source, one.title ?? "", one.text ?? "", unread.0)
      < (other.source, other.title ?? "", other.text ?? "", unread.1)
  }

  /// A row as in the program's lists, in the form in which words are compared.
  ///
  /// - Parameters:
  ///   - beginning: the text whose beginning replaces a missing title.
  ///   - text: the longest text.
  package init(listed source: String, title: String?, beginning: String? = nil, text: String?, isUnread: Bool)
  {
    var shown = title ?? beginning ?? ""
    if title == nil, shown.count > 100 {
      let cut = shown.prefix(100)
      shown = String(cut[..<(cut.lastIndex(of: " ") ?? cut.endIndex)]) + "…"
    }
    let words = IdentityWords(mutant: nil)
    self.init(
      source: source, title: words.words(shown)?.text ?? "", text: words.words(text)?.text ?? "",
      isUnread: isUnread)
  }
}
