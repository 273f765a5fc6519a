/** An error whose message is meant for the user. Any other error is a mistake of ours. */
export class HumanError extends Error {}
