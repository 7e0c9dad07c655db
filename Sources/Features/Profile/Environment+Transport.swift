package import HTTP
package import Platform
package import Settings

extension Environment {
  /// What requests need to know of the process and of the person: version, clock, proxies, authorities.
  package func transportOptions(_ settings: Settings) -> LiveTransport.Options {
    var options = LiveTransport.Options(version: version, now: now)
    options.trust = SystemTrust(environment: variables)
    options.proxies = ProxySettings(
      proxy: settings.proxy, exceptions: settings.proxyExceptions, environment: variables)
    return options
  }

  /// A transport for commands without a profile.
  ///
  /// - Parameter config: overrides the XDG path.
  /// - Throws: as `SettingsFile.load`.
  package func settings(config: String?) throws -> Settings {
    try SettingsFile(path: config ?? directories.settingsFile, home: home).load()
  }
}
