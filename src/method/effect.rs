use super::Effect; /// stub
pub fn effect(m: &str) -> Effect { if m=="eth_sendRawTransaction" {Effect::Send} else {Effect::Read} }
