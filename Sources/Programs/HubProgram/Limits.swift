import Basics

extension Limits {
  /// The minimum number of connections besides those of waiting readers, if the system allows too few open files, and
  /// the number of files that a hub has open besides connections.
  static let hubLeastConnections = 100
  static let hubOwnFiles = 200
  static let hubSettingsBytes = 1 << 20
  /// The bytes of the title of a feed and of the name of a token.
  static let hubNameBytes = 200
  /// The webhooks of the settings, and the seconds for a program that prints a secret.
  static let hubHooks = 1000
  static let hubSecretSeconds = 10
  static let hubSecretBytes = 64 << 10

  /// The maximum number of connections that read.
  static let hubMostReadConnections = 64
}
