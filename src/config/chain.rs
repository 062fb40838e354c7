//! What a chain is called and what is paid there: for people and wallets, asked of nobody.

use crate::json::written;

use super::Protocol;
use super::table::Table;
use super::template::no_secrets;

/// What people and wallets call the chain. Default: by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// One line of text, at most 64 characters.
    pub name: String,
    /// What is paid there.
    pub currency: Currency,
}

/// The currency that a chain's fees are paid in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Currency {
    /// In words.
    pub name: String,
    /// In short, at most 11 characters.
    pub symbol: String,
    /// Digits behind the point. Default 18.
    pub decimals: u32,
}

written!(Currency { name, symbol, decimals });

/// Longest name of a chain or currency.
const MAX_NAME: usize = 64;
/// Longest symbol that wallets take.
const MAX_SYMBOL: usize = 11;
/// Of Ether, and of nearly every currency since.
const DECIMALS: u32 = 18;
const ETHER: (&str, &str) = ("Ether", "ETH");

/// Chains whose names need no configuration: id, name, currency, symbol. As in
/// `ethereum-lists/chains`.
const KNOWN: [(u64, &str, (&str, &str)); 12] = [
    (1, "Ethereum", ETHER),
    (10, "OP Mainnet", ETHER),
    (56, "BNB Smart Chain", ("BNB", "BNB")),
    (100, "Gnosis", ("xDAI", "XDAI")),
    (137, "Polygon", ("POL", "POL")),
    (8_453, "Base", ETHER),
    (42_161, "Arbitrum One", ETHER),
    (43_114, "Avalanche C-Chain", ("Avalanche", "AVAX")),
    (59_144, "Linea", ETHER),
    (84_532, "Base Sepolia", ETHER),
    (560_048, "Hoodi", ETHER),
    (11_155_111, "Sepolia", ETHER),
];

/// Reads `chain_name` and `currency`, given as `name` and `currency`; `None` for a route without a
/// chain. What is left out is what the chain is known for, else `Chain <id>` and Ether.
pub(super) fn build(table: &mut Table, protocol: Protocol, chain_id: Option<u64>) -> Option<Chain> {
    let own_name = text(table, "chain_name", MAX_NAME);
    let currency = table.table("currency");
    let id = match protocol {
        Protocol::Evm => chain_id?,
        Protocol::X402 => return None,
    };
    let known = KNOWN.iter().find(|(known, ..)| *known == id);
    let (name, symbol) = known.map_or(ETHER, |(.., currency)| *currency);
    let usual = Currency { name: name.into(), symbol: symbol.into(), decimals: DECIMALS };
    let currency = table.adopt(own_currency(currency, usual))?;
    let known_name = || known.map_or_else(|| format!("Chain {id}"), |(_, name, _)| (*name).into());
    Some(Chain { name: own_name.unwrap_or_else(known_name), currency })
}

/// One that is given is given whole: half of it would be another currency's.
fn own_currency(mut table: Table, usual: Currency) -> Result<Currency, String> {
    if table.keys().is_empty() {
        return table.finish().map(|()| usual);
    }
    let symbol = text(&mut table, "symbol", MAX_SYMBOL);
    let name = text(&mut table, "name", MAX_NAME);
    let decimals = table.count("decimals", 0..=36).unwrap_or(DECIMALS);
    if symbol.is_none() {
        table.fail("symbol", "is missing");
    }
    table.finish()?;
    let symbol = symbol.unwrap_or_default();
    Ok(Currency { name: name.unwrap_or_else(|| symbol.clone()), symbol, decimals })
}

/// One line of text for people.
fn text(table: &mut Table, key: &str, max: usize) -> Option<String> {
    let text = table.text(key)?;
    let text = text.trim();
    table.judge(key, check(text, max));
    Some(text.to_owned())
}

fn check(text: &str, max: usize) -> Result<(), &'static str> {
    if text.is_empty() {
        return Err("is blank");
    }
    if text.chars().count() > max || text.chars().any(char::is_control) {
        return Err("is too long, or not one line of text");
    }
    no_secrets(text)
}
