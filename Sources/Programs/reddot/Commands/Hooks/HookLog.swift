import Logging
import Platform
import Profile
import Words

/// The log of hooks' errors for the user: the program that started a hook must not see it fail.
enum HookLog {
  static func warn(_ sentence: String, _ environment: Environment) {
    FileLog(path: environment.directories.logFile, now: environment.now).logger(label: "hooks")
      .warning("\(SafeOutput.line(sentence))")
  }
}
