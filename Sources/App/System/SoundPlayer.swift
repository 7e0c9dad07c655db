import Foundation

/// Plays a message's sound with the program that the settings name.
package struct SoundPlayer: Sendable {
  /// Program and arguments; the sound's name is appended as one argument. Empty: there is none.
  package var command: [String]
  package var environment: [String: String]

  package init(command: [String], environment: [String: String]) {
    self.command = command
    self.environment = environment
  }

  /// - Returns: false where there is no program, or it did not start: the terminal's bell rings then.
  package func play(_ sound: String) -> Bool {
    guard !command.isEmpty, !sound.hasPrefix("-") else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command + [sound]
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      return true
    } catch {
      return false
    }
  }
}
