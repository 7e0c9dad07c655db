package import Basics
import Calendars
package import Formats
package import Foundation
package import Messages

/// Computes the messages of a schedule file that are due. It has no side effects.
///
/// A firing is a time at which the message of an entry is due. The delivered firings are stored for each entry by its
/// identity: when a file changes, the remaining entries keep their counts. If several processes compute a firing, the
/// first process that stores it delivers it. An entry that is broken or missing for a while continues afterwards.
package struct ScheduleRound: Sendable {
  /// The state of a schedule file's entries, which is stored as JSON in the source's cursor.
  package struct Memory: Hashable, Sendable, Codable {
    /// The state of an entry.
    struct Entry: Hashable, Sendable, Codable {
      /// The time at which the entry was first read. The firings of an entry that begins with "the next coming one" are
      /// counted from here.
      var seen: Date
      /// The time up to which all firings are done: they were delivered, or were due before the entry was
      /// first read. The time itself is included.
      var done: Date
      /// The time since which the entry is missing or broken.
      var missing: Date?
    }

    /// The entries, by identity.
    var entries: [String: Entry] = [:]

    package init() {}

    /// Keeps the state of entries that are missing or broken now, in case of a typo or an incomplete file.
    mutating func keep(_ old: Memory, at now: Date) {
      var missing: [(identity: String, entry: Entry, since: Date)] = []
      for (identity, entry) in old.entries where entries[identity] == nil {
        // If the clock was set back, the wait begins again.
        let since = min(entry.missing ?? now, now)
        if now.timeIntervalSince(since) < Limits.missingScheduleEntrySeconds {
          missing.append((identity, entry, since))
        }
      }
      let newest = missing.sorted { ($0.since, $0.identity) > ($1.since, $1.identity) }
      for (identity, entry, since) in newest.prefix(Limits.missingScheduleEntries) {
        entries[identity] = Entry(seen: entry.seen, done: entry.done, missing: since)
      }
    }

    /// Reads the state from a cursor, or returns `nil` if there is none or it can't be read.
    package init?(_ cursor: Cursor?) {
      guard let cursor else { return nil }
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .millisecondsSince1970
      // A cursor of another version is treated as missing: the entries are new, and only future firings are delivered.
      guard let memory = try? decoder.decode(Memory.self, from: Data(cursor.text.utf8)) else { return nil }
      self = memory
    }

    package var cursor: Cursor? {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .millisecondsSince1970
      encoder.outputFormatting = .sortedKeys
      // Encoding fails only for dates that are not finite, which no firing has.
      guard let data = try? encoder.encode(self) else { return nil }
      return Cursor(String(decoding: data, as: UTF8.self))
    }
  }

  /// The messages and other results of one run.
  package struct Result: Sendable {
    /// The messages, oldest first.
    package var messages: [IncomingMessage]
    /// The changes of features by entries that show no message, oldest first.
    package var features: [FeatureNotice] = []
    package var memory: Memory
    /// The time of the next firing of any entry; `nil` if there is none.
    package var next: Date?
  }

  package var application: String
  /// The language in which an entry's text is chosen.
  package var language: String
  /// Returns a sentence on the number of firings that were missed before the delivered one.
  package var missedBefore: @Sendable (Int) -> String
  package var zone: ZoneClock
  package var installed: Date

  package init(
    application: String, language: String = "en", zone: ZoneClock, installed: Date,
    missedBefore: @escaping @Sendable (Int) -> String
  ) {
    self.application = application
    self.language = language
    self.missedBefore = missedBefore
    self.zone = zone
    self.installed = installed
  }

  /// Returns the messages and changes of features that are due, and the state for the next run.
  package func run(_ file: ScheduleFile, memory: Memory, at now: Date) -> Result {
    var result = Result(messages: [], memory: Memory(), next: nil)
    var due: [(Date, IncomingMessage)] = []
    var switches: [(Date, FeatureNotice)] = []
    for entry in file.entries {
      guard let schedule = entry.schedule else { continue }
      // A firing in the second in which the entry is first read is delivered.
      var known = memory.entries[entry.identity] ?? Memory.Entry(seen: now, done: now.addingTimeInterval(-1))
      // If the clock was set back, firings must not wait until the old time is reached again; delivered ones are
      // recognised by their ids and are not delivered again.
      if known.done > now { known.done = now }
      known.missing = nil
      let firings = Firings(
        Recurrence(schedule), zone: zone, reference: entry.isFromInstallation ? installed : known.seen)
      if let last = firings.last(through: now), last.instant > known.done {
        if let switching = entry.switching {
          switches.append((last.instant, notice(switching, of: entry, at: last.instant)))
        } else {
          let before = firings.last(through: known.done)?.index ?? -1
          due.append((last.instant, message(entry, last.instant, missed: last.index - before - 1)))
        }
        known.done = last.instant
      }
      if let next = firings.next(after: now), result.next.map({ next.instant < $0 }) ?? true {
        result.next = next.instant
      }
      result.memory.entries[entry.identity] = known
    }
    result.messages = due.sorted { $0.0 < $1.0 }.map(\.1)
    result.features = switches.sorted { $0.0 < $1.0 }.map(\.1)
    result.memory.keep(memory, at: now)
    return result
  }

  /// Returns the change of features of an entry at a firing.
  private func notice(
    _ switching: ScheduledSwitch, of entry: ScheduleFileEntry, at instant: Date
  ) -> FeatureNotice {
    FeatureNotice(
      remoteID: RemoteID(entry.id?.text ?? entry.path), names: switching.features,
      isEnabled: switching.isEnabled, data: switching.data?.serialized(), visibleFrom: instant)
  }

  /// Returns the message of an entry at a firing.
  ///
  /// - Parameter missed: the number of firings before it that were missed.
  private func message(_ entry: ScheduleFileEntry, _ instant: Date, missed: Int) -> IncomingMessage {
    let texts = entry.texts.map { $0.naming(application: application) }
    let first = texts.choice(for: language) ?? LocalizedText(language: "default", title: "", body: "")
    func body(_ text: LocalizedText) -> String {
      missed > 0 ? "\(text.body)\n\n\(missedBefore(missed))" : text.body
    }
    let seconds = Int(instant.timeIntervalSince1970)
    func title(_ text: LocalizedText) -> String {
      text.title.isEmpty ? entry.id?.text ?? entry.path : text.title
    }
    var message = IncomingMessage(
      remoteID: RemoteID("\(entry.identity)@\(seconds)"), kind: .schedule, title: title(first),
      body: body(first))
    message.published = instant
    if texts.count > 1 {
      var extras = MessageExtras()
      extras.translations = texts.map {
        LocalizedText(language: $0.language, title: title($0), body: body($0))
      }
      message.extras = extras
    }
    return message
  }
}
