package import Platform
package import Transport

extension Environment {
  /// What requests need to know of the process: its version, its clock, the proxies and authorities of its environment.
  package var transportOptions: LiveTransport.Options {
    var options = LiveTransport.Options(version: version, now: now)
    options.trust = SystemTrust(environment: variables)
    options.proxies = ProxySettings(environment: variables)
    return options
  }
}
