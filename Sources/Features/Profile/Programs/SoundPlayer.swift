package import Platform

/// Plays a message's sound with `sound_command`.
package struct SoundPlayer: Sendable {
  /// The program and its arguments; the sound's name is appended as one argument. Empty if there is no program.
  package var command: [String]
  package var environment: [String: String]

  private let programs: ProgramRunner

  package init(command: [String], environment: [String: String], programs: ProgramRunner) {
    self.command = command
    self.environment = environment
    self.programs = programs
  }

  /// Plays a sound.
  ///
  /// - Returns: `false` if there is no program or it did not start. The caller then rings the terminal's bell.
  package func play(_ sound: String) async -> Bool {
    guard !command.isEmpty, sound.utf8.first != UInt8(ascii: "-") else { return false }
    do throws(ProgramFailure) {
      try await programs.detach(command + [sound], environment: environment)
      return true
    } catch {
      return false
    }
  }
}
