import Basics

extension Limits {
  /// Milliseconds of processor time for one event. More is treated as an endless loop.
  static let scriptMilliseconds = 200
  /// Wall time for one event. Far longer than the processor time, since the start of the process and a busy machine
  /// must not end a working script; it only ends a process that hangs.
  static let scriptTime = Duration.seconds(20)
  /// Bytes of the engine's memory; scripts of views need some kilobytes.
  static let scriptMemoryBytes = 32 << 20
  /// Bytes for requests and answers as JSON and as values, besides the engine's memory.
  static let scriptMessageBytes = 96 << 20
  /// Bytes of one answer of a script's process.
  static let scriptAnswerBytes = 16 << 20
  /// Calls that a script may make in one event.
  static let scriptCalls = 1000
  /// Bytes of a text or of HTML that a script sets: as many as a view's page may have.
  static let scriptTextBytes = viewBytes
  /// Bytes of a flag's name.
  static let flagNameBytes = 200
  /// Key presses that wait while a script runs.
  static let viewEvents = 32
  /// The number of views that may display each other without a key press.
  static let viewDisplays = 10
  /// Characters of the text of a script's error.
  static let scriptErrorCharacters = 500
  /// Bytes of a view's page: far more than a few rows of a terminal need.
  static let viewBytes = 1 << 20
}
