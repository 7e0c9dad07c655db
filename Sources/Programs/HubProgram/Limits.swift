import Basics

extension Limits {
  /// The minimum number of connections besides those of waiting readers, if the system allows too few open files.
  static let hubLeastConnections = 100
  /// The number of files that a hub has open besides connections.
  static let hubOwnFiles = 200
  static let hubSettingsBytes = 1 << 20
  /// The maximum number of bytes of the title of a feed and of the name of a token.
  static let hubNameBytes = 200
  /// The maximum number of webhooks in the settings.
  static let hubHooks = 1000
  /// The maximum time for a program that prints a secret, in seconds.
  static let hubSecretSeconds = 10
  static let hubSecretBytes = 64 << 10

  /// The maximum number of connections to a database for reading.
  static let hubMostReadConnections = 64
}
