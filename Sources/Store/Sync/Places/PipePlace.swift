import Basics
import Foundation
import Platform
import Synchronization

/// A sync location behind a program that uses the pipe protocol: ssh, `reddot-postgresql`, or any other.
///
/// The first call starts the program, and `close` ends it. After a failure of the program the next call starts it
/// again; the caller decides how long to wait before that. SIGPIPE must be ignored, since the program may have ended.
package final class PipePlace: Place, Sendable {
  private struct Connection: Sendable {
    let program: PipedProgram
    var frames = FrameDecoder()
  }

  private let words: [String]
  private let environment: [String: String]
  private let place: String
  private let host: String
  private let silence: Duration
  private let closing: Alarm
  /// The connection, or `nil` if it isn't started yet or has failed. It is locked during a whole call.
  private let connection = Mutex<Connection?>(nil)

  /// - Parameters:
  ///   - words: the program, searched in the environment's PATH if its name has no slash, and its arguments.
  ///   - environment: the whole environment.
  ///   - place: the sync location for display, without passwords.
  ///   - host: the host that should respond.
  ///   - silence: the time without any byte of a response after which the program counts as broken.
  package init(
    _ words: [String], environment: [String: String], place: String, host: String,
    silence: Duration = Limits.placeSilence
  ) throws(PlaceFailure) {
    (self.words, self.environment, self.place) = (words, environment, place)
    (self.host, self.silence) = (host, silence)
    do throws(POSIXError) {
      closing = try Alarm()
    } catch {
      throw .broken(place: place, reason: String(cString: strerror(error.code.rawValue)))
    }
  }

  package func list() throws(PlaceFailure) -> [ObjectName] {
    guard case .names(let names) = try ask(.list, { if case .names = $0 { true } else { false } }) else {
      return []
    }
    return names
  }

  package func get(_ name: ObjectName) throws(PlaceFailure) -> [UInt8]? {
    let answer = try ask(.get(name)) {
      if case .bytes = $0 { true } else { $0 == .nothing }
    }
    guard case .bytes(let bytes) = answer else { return nil }
    return bytes
  }

  package func put(_ name: ObjectName, _ bytes: [UInt8]) throws(PlaceFailure) -> PutResult {
    guard bytes.count <= Limits.placeObjectBytes else {
      throw .broken(place: place, reason: "an object cannot have \(bytes.count) bytes")
    }
    return try ask(.put(name, bytes)) { $0 == .done || $0 == .anotherIsThere } == .done
      ? .done : .anotherIsThere
  }

  package func delete(_ name: ObjectName) throws(PlaceFailure) {
    _ = try ask(.delete(name)) { $0 == .done }
  }

  /// Waits for a change. A further request ends the wait; its response follows the one to this request.
  package func changed(seconds: Int, unlessInput input: Int32?) throws(PlaceFailure) -> Bool {
    let seconds = UInt32(clamping: seconds)
    let request = Request(
      .changed(seconds: seconds), waiting: .seconds(Int64(seconds)), unlessInput: input, interrupting: .list)
    let answer = try ask(request) { if case .changed = $0 { true } else { false } }
    return answer == .changed(true)
  }

  /// Closes the connection, and waits for the end of the program, for at most `Limits.programGrace`.
  package func close() {
    closing.ring()
    connection.withLock { connection in
      _ = connection?.program.end()
      connection = nil
    }
  }

  // MARK: One call

  private struct Request {
    var request: PlaceRequest
    /// The additional time that the request may take.
    var waiting = Duration.zero
    /// A descriptor that ends the wait when it is readable, and the request that is then sent to end it.
    var unlessInput: Int32?
    var interrupting: PlaceRequest?

    init(
      _ request: PlaceRequest, waiting: Duration = .zero, unlessInput: Int32? = nil,
      interrupting: PlaceRequest? = nil
    ) {
      (self.request, self.waiting) = (request, waiting)
      (self.unlessInput, self.interrupting) = (unlessInput, interrupting)
    }
  }

  private func ask(
    _ request: PlaceRequest, _ fits: (PlaceAnswer) -> Bool
  ) throws(PlaceFailure) -> PlaceAnswer {
    try ask(Request(request), fits)
  }

  /// Sends a request and waits for its response; starts the program if necessary.
  ///
  /// - Parameter fits: returns whether it is a response to this request.
  private func ask(_ request: Request, _ fits: (PlaceAnswer) -> Bool) throws(PlaceFailure) -> PlaceAnswer {
    try connection.withLock { connection throws(PlaceFailure) in
      if closing.hasRung { throw .closed }
      var open: Connection
      if let connection { open = connection } else { open = try start() }
      // A failure of the program itself ends it, unlike one that it reports.
      connection = nil
      let answer: PlaceAnswer
      do throws(PlaceFailure) {
        answer = try exchange(request, &open)
        if case .failed = answer {
        } else if !fits(answer) {
          throw .broken(place: place, reason: "its response is that of another request")
        }
        // The next call would receive the second response.
        guard open.frames.isEmpty else {
          throw .broken(place: place, reason: "it sent more responses than requests")
        }
      } catch {
        open.program.end()
        throw error
      }
      connection = open
      if case .failed(let code, let sentence) = answer { throw failure(code, sentence) }
      return answer
    }
  }

  private func failure(_ code: PlaceFailureCode, _ sentence: String) -> PlaceFailure {
    switch code {
    case .notAllowed: .notAllowed(place: place, reason: sentence)
    case .full: .full(place: place)
    case .broken: .broken(place: place, reason: sentence)
    case .notUnderstood: .notUnderstood(host: host)
    }
  }

  private func start() throws(PlaceFailure) -> Connection {
    let program: PipedProgram
    do throws(ProgramFailure) {
      program = try PipedProgram(words, environment: environment)
    } catch {
      switch error {
      case .notInstalled(let name): throw .notStarted(program: name, reason: "it is not installed")
      case .cannotStart(let name, let reason): throw .notStarted(program: name, reason: reason)
      case _: throw .notStarted(program: words.first ?? "", reason: error.words)
      }
    }
    var greeting = Greeting()
    do throws(PlaceFailure) {
      while true {
        var nothing: ArraySlice<UInt8> = []
        switch greeting.append(try move(&nothing, program, within: silence) ?? []) {
        case .incomplete: continue
        case .refused: throw .notUnderstood(host: host)
        case .read(let rest):
          var made = Connection(program: program)
          made.frames.append(rest)
          return made
        }
      }
    } catch {
      program.end()
      throw error
    }
  }

  private func exchange(_ request: Request, _ open: inout Connection) throws(PlaceFailure) -> PlaceAnswer {
    var bytes = request.request.frame[...]
    var interrupting = request.interrupting
    var answer: PlaceAnswer?
    while true {
      let isInterrupted = request.interrupting != nil && interrupting == nil
      if answer == nil { answer = try nextAnswer(&open) }
      if let answer {
        guard bytes.isEmpty || isInterrupted else {
          throw .broken(place: place, reason: "it sent more responses than requests")
        }
        if bytes.isEmpty {
          // The response to the request that ended the wait has no information, but must be read.
          if isInterrupted { _ = try lastAnswer(&open) }
          return answer
        }
      }
      let input = bytes.isEmpty && interrupting != nil ? request.unlessInput : nil
      let came = try move(&bytes, open.program, within: silence + request.waiting, unlessInput: input)
      if let came {
        open.frames.append(came)
      } else if let next = interrupting {
        bytes = next.frame[...]
        interrupting = nil
      }
    }
  }

  private func lastAnswer(_ open: inout Connection) throws(PlaceFailure) -> PlaceAnswer {
    var nothing: ArraySlice<UInt8> = []
    while true {
      if let answer = try nextAnswer(&open) { return answer }
      if let came = try move(&nothing, open.program, within: silence) { open.frames.append(came) }
    }
  }

  private func nextAnswer(_ open: inout Connection) throws(PlaceFailure) -> PlaceAnswer? {
    let frame: [UInt8]?
    do throws(FrameDecoder.Unreadable) {
      frame = try open.frames.next()
    } catch {
      throw .broken(place: place, reason: "its response has \(error.length) bytes")
    }
    guard let frame else { return nil }
    guard let answer = PlaceAnswer(frame: frame) else {
      throw .broken(place: place, reason: "its response cannot be read")
    }
    return answer
  }

  /// Writes to the program as many bytes as it accepts and removes them from `bytes`, and reads what the
  /// program has sent.
  ///
  /// - Returns: the received bytes, or `nil` if the descriptor `input` is readable.
  private func move(
    _ bytes: inout ArraySlice<UInt8>, _ program: PipedProgram, within time: Duration,
    unlessInput input: Int32? = nil
  ) throws(PlaceFailure) -> [UInt8]? {
    switch program.move(&bytes, within: time, alarm: closing, unlessInput: input) {
    case .moved(let came): return came
    case .input: return nil
    case .alarm: throw .closed
    case .silent:
      throw .broken(
        place: place, reason: "there was no response for \(Int((time / .seconds(1)).rounded(.up))) s")
    case .ended:
      let (ending, line) = program.end()
      throw .ended(program: words[0], line: line ?? Self.words(ending))
    }
  }

  /// Returns a reason for a program that printed none.
  private static func words(_ ending: ProgramEnding) -> String {
    switch ending {
    case .status(let status): "it gave no reason (status \(status))"
    case .signal(let signal): "it gave no reason (signal \(signal))"
    }
  }
}
