import Basics

extension Limits {
  /// The maximum processor time of a view's script for one event, in milliseconds. A script that needs more is treated
  /// as an endless loop.
  static let scriptMilliseconds = 200
  /// The maximum elapsed time of a view's script for one event. It is far longer than the processor time, because the
  /// start of the process and a busy machine must not end a working script; it only ends a process that hangs.
  static let scriptTime = Duration.seconds(20)
  /// The maximum number of bytes of the script engine's memory; scripts of views need some kilobytes.
  static let scriptMemoryBytes = 32 << 20
  /// The memory, in bytes, that a script's process may use for requests and responses, as JSON and as values,
  /// in addition to the engine's memory.
  static let scriptMessageBytes = 96 << 20
  /// The maximum number of bytes of one response of a script's process.
  static let scriptAnswerBytes = 16 << 20
  /// The maximum number of calls of reddot's functions, such as `openUrl`, that a script may make in one
  /// event.
  static let scriptCalls = 1000
  /// The maximum number of bytes of text or HTML that a script sets, which is that of a view's page.
  static let scriptTextBytes = viewBytes
  /// The maximum number of bytes of a flag's name.
  static let flagNameBytes = 200
  /// The maximum number of events, such as key presses, that wait while a script runs.
  static let viewEvents = 32
  /// The maximum number of times that scripts may replace the view by another view of its banner without a
  /// key press.
  static let viewDisplays = 10
  /// The maximum number of characters of a script's error message.
  static let scriptErrorCharacters = 500
  /// The maximum number of bytes of a view's page, far more than a few rows of a terminal need.
  static let viewBytes = 1 << 20
}
