import Basics
import Foundation
import Messages
import Platform
import Screen
import Services
import Settings
package import Storage
package import Sync
import Words

/// Syncs this machine as its settings specify.
package struct Synchroniser: Sendable {
  package let profile: Profile

  package init(_ profile: Profile) { self.profile = profile }

  /// The name of this machine for the other machines.
  package var machine: String {
    profile.settings.sync.name ?? String(MachineName.short.prefix(SyncOptions.longestName))
  }

  /// Returns a location in the user's notation: the home folder is `~`.
  package func name(_ place: PlaceAddress) -> String {
    let text = "\(place)"
    let home = profile.environment.home
    guard case .folder = place, text == home || text.hasPrefix(home + "/") else { return text }
    return "~" + text.dropFirst(home.count)
  }

  /// Returns the sync location that the settings specify.
  ///
  /// - Throws: `SyncFailure.notBegun` if they specify none.
  package func place() throws(SyncFailure) -> PlaceAddress {
    guard let place = profile.settings.sync.place else { throw .notBegun }
    return place
  }

  /// Returns the location that the user typed; a relative folder starts at the current one.
  package func place(given text: String) throws -> PlaceAddress {
    do throws(PlaceAddress.Mistake) {
      let address = try PlaceAddress(Directories.expandingHome(text, home: profile.environment.home))
      guard case .folder(let path) = address, !path.hasPrefix("/") else { return address }
      return .folder(FileManager.default.currentDirectoryPath + "/" + path)
    } catch {
      // The text may contain a part of a password.
      let shown = error == .badPort ? "postgresql://…" : SafeOutput.line(text)
      throw GivenMistake(sentence: "\"\(shown)\" \(error)")
    }
  }

  func open(_ address: PlaceAddress) throws(SyncFailure) -> any Place {
    do throws(PlaceFailure) {
      let folder = profile.ownProgram.first.map(ReplacedFile.folder(of:))
      return try address.open(
        environment: profile.environment.variables, beside: folder, hub: hub(at:))
    } catch {
      throw .place(error, waiting: 0)
    }
  }

  private func hub(at address: String) throws(PlaceFailure) -> any Place {
    let (environment, command) = (profile.environment, profile.settings.sync.tokenCommand)
    let credentials = Credentials(environment: environment.variables, programs: environment.programs)
    return try HTTPPlace(address: address, environment.transportOptions(profile.settings)) {
      () async throws(HTTPPlace.NoToken) in
      guard !command.isEmpty else {
        throw HTTPPlace.NoToken(
          reason: "token_command under [sync] is empty; set it to a program that prints the token")
      }
      do throws(Credentials.Failure) {
        return try await credentials.token(from: .command(command))
      } catch {
        throw HTTPPlace.NoToken(reason: "token_command under [sync]: \(error.reason)")
      }
    } words: { failure in
      profile.words.sentence(FetchFailure(failure)).text
    }
  }

  // MARK: - The key

  var keyFile: SyncKeyFile {
    SyncKeyFile(besideDatabase: profile.store.path ?? profile.environment.directories.databaseFile)
  }

  /// Returns the encryption key, which is in a file of reddot or which `key_command` prints.
  ///
  /// - Throws: `SyncFailure`.
  package func key() async throws(SyncFailure) -> SyncKey {
    let command = profile.settings.sync.keyCommand
    guard !command.isEmpty else {
      guard let key = try keyFile.read(for: place()) else {
        throw .noKey(path: keyFile.path, reason: "does not exist")
      }
      return key
    }
    let text: String
    do throws(Credentials.Failure) {
      let environment = profile.environment
      text = try await Credentials(environment: environment.variables, programs: environment.programs).key(
        from: command)
    } catch {
      throw .keyCommand(reason: error.reason)
    }
    if let key = SyncKey(fileText: text) { return key }
    do throws(SyncKey.ParseFailure) {
      return try SyncKey(text: text)
    } catch {
      throw .badKey(error)
    }
  }

  /// Returns the key in the form in which users type it.
  package func keyText() async throws(SyncFailure) -> String { try await key().text }

  // MARK: - Synchronising

  /// Syncs before a poll, so that messages that were read elsewhere do not arrive unread. A failure is reported once,
  /// when it begins.
  ///
  /// - Returns: sentences for users.
  package func runBeforePoll() async throws(StoreFailure) -> [String] {
    guard profile.settings.sync.place != nil else { return [] }
    let before = try profile.store.sync.progress()
    do {
      guard let outcome = try await run(within: Limits.secondsBeforePoll, waits: false) else { return [] }
      return [outcome.followedSentence].compactMap(\.self) + outcome.notes
    } catch let failure as SyncFailure {
      return before?.failure == nil ? [failure.sentence] : []
    } catch let failure as StoreFailure {
      throw failure
    } catch {
      throw .unexpected(path: profile.store.path ?? "", reason: "\(error)")
    }
  }

  /// Sends the change of a command. If the location is a folder, this happens before the command exits; otherwise the
  /// next poll or an inbox sends the change. Failures are shown by `status`, and the next sync tries again.
  ///
  /// - Parameter anywhere: whether to send to a slower location too.
  package func sendNow(anywhere: Bool = false) async throws(StoreFailure) {
    let sync = profile.settings.sync
    guard sync.isFolder || anywhere && sync.place != nil else { return }
    do {
      _ = try await locked(waits: false) {
        _ = try await synchronise(within: Limits.secondsAfterAct) { synchronisation in
          try synchronisation.send()
          return Synchronisation.Outcome()
        }
      }
    } catch is SyncFailure {
      return
    } catch let failure as StoreFailure {
      throw failure
    } catch {
      throw .unexpected(path: profile.store.path ?? "", reason: "\(error)")
    }
  }

  /// Syncs once.
  ///
  /// - Parameters:
  ///   - seconds: the maximum time; `nil` for as long as the location makes progress.
  ///   - waits: whether to wait for another process that is syncing; otherwise the sync is left to it.
  ///   - checksAll: whether all objects of this machine are compared by their bytes.
  /// - Returns: `nil` if another process is syncing.
  /// - Throws: `SyncFailure` or `StoreFailure`; the failure is stored for `status`.
  package func run(
    within seconds: Double? = nil, waits: Bool = true, checksAll: Bool = false
  ) async throws -> Synchronisation.Outcome? {
    try await locked(waits: waits) {
      try await synchronise(within: seconds) { try complete($0, checksAll: checksAll) }
    }
  }

  /// Runs `body` while this process has the lock for syncing.
  ///
  /// - Returns: `nil` if another process has the lock.
  private func locked<Value>(waits: Bool, _ body: () async throws -> Value) async throws -> Value? {
    let store = profile.store
    var lock = try store.tryLock(.sync)
    while lock == nil, waits, !Task.isCancelled {
      await store.waitUntilUnlocked(.sync)
      lock = try store.tryLock(.sync)
    }
    guard let lock else { return nil }
    defer { lock.release() }
    do {
      return try await body()
    } catch let failure as SyncFailure {
      if failure != .notBegun {
        try store.sync.recordFailure(failure.sentence, at: profile.environment.now())
      }
      throw failure
    }
  }

  /// Connects to the location of the settings, and runs `work` with it.
  private func synchronise(
    within seconds: Double?,
    _ work: @escaping @Sendable (Synchronisation) throws -> Synchronisation.Outcome
  ) async throws -> Synchronisation.Outcome {
    let address = try place()
    let place = try open(address)
    defer { place.close() }
    return try await run(at: place, called: name(address), try await key(), within: seconds, work)
  }

  func make(_ place: any Place, called name: String, _ key: SyncKey) -> Synchronisation {
    let environment = profile.environment
    return Synchronisation(
      profile.store, place, called: name, key, machine: machine, program: environment.version,
      now: environment.now)
  }

  /// Runs `work` on a separate thread, since a location blocks its caller. After the maximum time, the location is
  /// closed, which ends the work.
  func run(
    at place: any Place, called name: String, _ key: SyncKey, within seconds: Double? = nil,
    _ work: @escaping @Sendable (Synchronisation) throws -> Synchronisation.Outcome
  ) async throws -> Synchronisation.Outcome {
    let environment = profile.environment
    let synchronisation = make(place, called: name, key)
    let deadline = seconds.map { seconds in
      Task {
        try await Task.sleep(for: .seconds(seconds), clock: environment.timer)
        place.close()
      }
    }
    defer { deadline?.cancel() }
    let result = await WorkThreads().run { Result { try work(synchronisation) } }
    if let seconds, case .failure(SyncFailure.place(.closed, _)) = result {
      throw SyncFailure.tookLong(place: name, seconds: Int(seconds))
    }
    return try result.get()
  }

  /// Sends and receives everything. Before that, the other machines are sent the sources that this machine's settings
  /// file names. After it, this machine follows their sources.
  func complete(
    _ synchronisation: Synchronisation, checksAll: Bool = false
  ) throws -> Synchronisation.Outcome {
    let following = SourceFollowing(profile)
    try following.announceWritten()
    var outcome = try synchronisation.run(checksAll: checksAll)
    outcome.followed = try following.follow()
    return outcome
  }
}

extension Synchronisation.Outcome {
  /// A sentence like "Now followed here: News.", or `nil` if nothing is new.
  package var followedSentence: String? {
    followed.isEmpty
      ? nil : "Now followed here: \(followed.map { SafeOutput.line($0) }.joined(separator: ", "))."
  }

  /// A summary like "Sent 12 changes. Received 40 of laptop, 3 of server.", with only one of the sentences if the other
  /// number is 0.
  package var sentence: String {
    var sentences: [String] = []
    if sent > 0 { sentences.append("Sent \(ActCount.words(sent)).") }
    if !received.isEmpty {
      let machines = received.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      sentences.append(
        "Received "
          + machines.map { "\(ActCount.digits($0.value)) of \(SafeOutput.line($0.key))" }.joined(
            separator: ", ")
          + ".")
    }
    return sentences.isEmpty ? "Nothing new." : sentences.joined(separator: " ")
  }
}

/// Formats numbers of changes for users.
package enum ActCount {
  /// Returns a number in digits, with commas: 1,204.
  package static func digits(_ count: Int) -> String {
    let digits = Array(String(count))
    return digits.indices.map { index in
      (index > 0 && (digits.count - index) % 3 == 0 ? "," : "") + String(digits[index])
    }.joined()
  }

  package static func words(_ count: Int) -> String { count == 1 ? "1 change" : "\(digits(count)) changes" }
}
