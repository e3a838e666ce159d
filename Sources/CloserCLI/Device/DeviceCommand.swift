internal import ArgumentParser

struct DeviceCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "This device's vault and identity.",
        subcommands: [
            Init.self, Show.self, Passphrase.self, Renew.self, Link.self, Join.self, Unlock.self, Lock.self,
            Export.self, Import.self, PolicyVerb.self, List.self, Forget.self, AcceptOlder.self, Destroy.self,
        ])
}
