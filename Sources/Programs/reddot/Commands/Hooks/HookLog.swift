import Logging
import Platform
import Profile
import Words

/// What went wrong with a hook, for the person: whoever started it must not see it fail.
enum HookLog {
  static func warn(_ sentence: String, _ environment: Environment) {
    FileLog(path: environment.directories.logFile, now: environment.now).logger(label: "hooks")
      .warning("\(SafeOutput.line(sentence))")
  }
}
