//! What a chain is called, and what is paid there.

use breakwater::config::{Chain, Currency};

use crate::accepted::{FACILITATORS, FULL, SMALL, only_route};

fn chain(name: &str, currency: &str, symbol: &str, decimals: u32) -> Chain {
    let currency = Currency { name: currency.into(), symbol: symbol.into(), decimals };
    Chain { name: name.into(), currency }
}

fn of(id: &str, more: &str) -> Chain {
    only_route(&format!("{}{more}\n", SMALL.replace("8453", id))).chain.unwrap()
}

#[test]
fn it_is_what_the_chain_is_known_for() {
    assert_eq!(of("8453", ""), chain("Base", "Ether", "ETH", 18));
    assert_eq!(of("137", ""), chain("Polygon", "POL", "POL", 18));
    assert_eq!(of("4711", ""), chain("Chain 4711", "Ether", "ETH", 18));
}

#[test]
fn it_is_what_the_operator_says() {
    assert_eq!(only_route(FULL).chain, Some(chain("Proving Ground", "Sand", "SND", 6)));
    assert_eq!(of("137", "chain_name = \"Mine\""), chain("Mine", "POL", "POL", 18));
    let currency = "currency = { symbol = \"XYZ\" }";
    assert_eq!(of("43114", currency), chain("Avalanche C-Chain", "XYZ", "XYZ", 18));
}

#[test]
fn facilitators_have_none() {
    assert_eq!(only_route(FACILITATORS).chain, None);
}
