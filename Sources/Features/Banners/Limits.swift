import Basics

extension Limits {
  /// The milliseconds of processor time for one event. More is treated as an endless loop.
  static let scriptMilliseconds = 200
  /// The time for one event. It is far longer than the processor time, because the start of the process and a busy
  /// machine must not end a working script; it only ends a process that hangs.
  static let scriptTime = Duration.seconds(20)
  /// The bytes of the engine's memory; scripts of views need some kilobytes.
  static let scriptMemoryBytes = 32 << 20
  /// The bytes for requests and responses as JSON and as values, besides the engine's memory.
  static let scriptMessageBytes = 96 << 20
  /// The bytes of one response of a script's process.
  static let scriptAnswerBytes = 16 << 20
  /// The number of calls that a script may make in one event.
  static let scriptCalls = 1000
  /// The bytes of text or HTML that a script sets: as many as a view's page may have.
  static let scriptTextBytes = viewBytes
  static let flagNameBytes = 200
  /// The number of key presses that may wait while a script runs.
  static let viewEvents = 32
  /// The number of views that may display each other without a key press.
  static let viewDisplays = 10
  /// The number of characters of a script's error message.
  static let scriptErrorCharacters = 500
  /// The bytes of a view's page: far more than a few rows of a terminal need.
  static let viewBytes = 1 << 20
}
