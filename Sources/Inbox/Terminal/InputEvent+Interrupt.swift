import Glibc
import Screen

extension InputEvent {
  /// The signal that the terminal's driver makes of a key, or `nil` for other input. If an earlier program
  /// left a keyboard protocol on, the terminal reports the key instead, and the driver makes no signal of it.
  var interrupt: Int32? {
    switch self {
    case .key(KeyPress("c", .control)): SIGINT
    case .key(KeyPress("\\", .control)): SIGQUIT
    case .key, .mouse, .paste, .focus, .resize: nil
    }
  }
}
