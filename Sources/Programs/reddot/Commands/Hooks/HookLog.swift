import Logging
import Platform
import Profile
import Words

/// Logs the errors of hooks for the user. Only the log has them: the program that started a hook must not see it fail.
enum HookLog {
  static func warn(_ sentence: String, _ environment: Environment) {
    FileLog(path: environment.directories.logFile, now: environment.now).logger(label: "hooks")
      .warning("\(SafeOutput.line(sentence))")
  }
}
